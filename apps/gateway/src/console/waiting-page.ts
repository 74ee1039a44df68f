/** Shown until the console is built. It reloads itself. */
export const WAITING_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>Lectern</title>
</head>
<body>
<h1>The console is being built</h1>
<p>This takes a few seconds after the first start. The page opens automatically. The API already works.</p>
<p>If it does not open within a minute, run <code>npm run build</code> in the Lectern folder and check its output.</p>
</body>
</html>
`;
