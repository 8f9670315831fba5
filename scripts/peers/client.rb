# The client of Ruby's net/http as a program that scripts/clients asks by lines on its standard input; scripts/peers/wire.py describes the lines.
# The argument is the file of a certificate to trust.
require "digest"
require "net/http"
require "stringio"
require "uri"

CONNECTIONS = {}

# A connection that is kept, as Net::HTTP keeps one between start and finish.
def connection(url, proxy)
  CONNECTIONS[[url.scheme, url.host, url.port, proxy]] ||= begin
    through = proxy ? URI(proxy) : nil
    made = Net::HTTP.new(url.host, url.port, through&.host, through&.port)
    made.use_ssl = url.scheme == "https"
    made.ca_file = ARGV[0]
    made.read_timeout = 30
    made.continue_timeout = 5
    made.max_retries = 0
    made.start
  end
end

def request(words, url, fields)
  body = words["body"] && (0...words["body"].to_i).map { |i| i % 251 }.pack("C*")
  made = Net::HTTPGenericRequest.new(words["method"], !body.nil?, words["method"] != "HEAD", url, "Accept-Encoding" => "identity")
  fields.each { |name, value| made.add_field(name, value) }
  made["Expect"] = words["expect"] if words["expect"]
  if body && words["framing"] == "chunked"
    made["Transfer-Encoding"] = "chunked"
    made.body_stream = StringIO.new(body)
  elsif body && words["expect"]
    made["Content-Length"] = body.bytesize.to_s
    made.body_stream = StringIO.new(body)
  elsif body
    made.body = body
    made["Content-Type"] = "application/octet-stream"
  end
  made
end

def respond(words, fields)
  url = URI(words["url"])
  response = connection(url, words["proxy"]).request(request(words, url, fields))
  if words["follow"] && response["location"]
    url = URI.join(url, response["location"])
    response = connection(url, words["proxy"]).request(request(words, url, fields))
  end
  content = response.body || ""
  puts "status #{response.code}"
  response.each_name { |name| response.get_fields(name).each { |value| puts "field #{name}: #{value}" } }
  puts "length #{content.bytesize}", "sha256 #{Digest::SHA256.hexdigest(content)}", "text #{content.byteslice(0, 2048).unpack1('H*')}"
end

words = {}
fields = []
$stdout.sync = true
$stdin.each_line(chomp: true) do |line|
  name, value = line.split(" ", 2)
  if name == "field"
    fields << value.split(": ", 2)
  elsif name
    words[name] = value
  else
    begin
      respond(words, fields)
    rescue StandardError => error
      CONNECTIONS.clear
      puts "error #{error.class} #{error.message.split.join(' ')}"
    end
    puts
    words = {}
    fields = []
  end
end
