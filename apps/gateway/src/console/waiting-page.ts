/** Said while there is no console yet; it looks again by itself. */
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
<p>This takes some seconds after the first start, and the page opens by itself. The API is at work already.</p>
<p>Where it does not open within a minute: <code>npm run build</code> in the folder of Lectern builds it and says what is wrong.</p>
</body>
</html>
`;
