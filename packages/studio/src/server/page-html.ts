/** The page before its script has run. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Coppice studio</title>
<link rel="stylesheet" href="/studio.css">
<script type="module" src="/studio.js"></script>
</head>
<body><div id="studio"><noscript>The studio needs JavaScript.</noscript></div></body>
</html>
`;
