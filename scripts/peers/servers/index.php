<?php
// The origin for PHP-FPM behind nginx.
$path = preg_replace('#^/php#', '', $_SERVER['REQUEST_URI']);
if ($path === '/digest') {
    echo hash('sha256', file_get_contents('php://input'));
} elseif ($path === '/echo') {
    echo file_get_contents('php://input');
} elseif ($path === '/none') {
    http_response_code(204);
} elseif ($path === '/pieces') {
    for ($n = 1; $n <= 5; $n++) {
        echo json_encode(['line' => $n]), "\n";
        flush();
    }
} elseif (preg_match('#^/bytes/(\d+)$#', $path, $found)) {
    echo substr(str_repeat(implode('', array_map('chr', range(0, 250))), intdiv((int) $found[1], 251) + 1), 0, (int) $found[1]);
} else {
    echo $path === '/hello' ? "hello\n" : $path;
}
