// Checks every script of the repository by the rules of eslint.config.mjs, after it has shown that these rules find planted faults.
//
//   node lint.mjs REPOSITORY     exit code 1 when a script or a check has a fault
import { ESLint } from 'eslint';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = process.argv[2];
const eslint = new ESLint({ cwd: root, overrideConfigFile: fileURLToPath(new URL('eslint.config.mjs', import.meta.url)) });
const faults = [];

// Faults that stood in a page once, and a page without a fault: a gate that finds nothing anywhere must not look like a green one.
const page = script => `<!doctype html>\n<title>{{heading}}</title>\n<script>\n${script}\n</script>\n</html>\n`;
const PLANTED = [
  ["fetch('/').then(function (answer) { return response.json(); });", ['no-unused-vars', 'no-undef']],
  ['location.replace(location.href);', ['no-restricted-syntax']],
  ['location.href = document.URL;', ['no-restricted-syntax']],
  ['top.location = location;', ['no-undef', 'no-restricted-syntax']],
  ['document.title = name; // eslint-disable-line', ['no-undef']],
  ['location.reload();', []],
];
for (const [script, expected] of PLANTED) {
  const [result] = await eslint.lintText(page(script), { filePath: `${root}/gateway-app/src/main/resources/planted.html` });
  const found = result.messages.filter(message => message.severity === 2).map(message => message.ruleId);
  if (found.join() !== expected.join()) faults.push(`planted: ${script} found ${found.join(' ') || 'nothing'} (expected: ${expected.join(' ') || 'nothing'})`);
}

// Scripts where the rules don't read them.
const results = await eslint.lintFiles(['.']);
const pages = results.filter(result => /\.(html?|xhtml|svg)$/.test(result.filePath));
for (const { filePath } of pages) {
  const text = await readFile(filePath, 'utf8');
  if (/<meta\b(?=[^>]*\bhttp-equiv=["']?refresh)(?![^>]*\burl=[^\s"'>])/i.test(text)) faults.push(`${filePath}: a refresh without an address (expected: url=ADDRESS, or a page with a #fragment stays)`);
  if (/<[^>]*\son[a-z]+\s*=/i.test(text) || /=\s*["']?\s*javascript:/i.test(text)) faults.push(`${filePath}: a script in an attribute (expected: in a script element)`);
}

console.log(await (await eslint.loadFormatter('stylish')).format(results));
for (const fault of faults) console.error(fault);
const errors = results.reduce((sum, result) => sum + result.errorCount + result.warningCount, faults.length);
console.log(`${results.length} files with scripts, ${pages.length} of them pages: ${errors} faults`);
process.exitCode = errors ? 1 : 0;
