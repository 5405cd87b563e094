// The last words of `npm start`.
console.log(`
The picture is the page named above after "report": open that file in a browser.
To see it on a map, hour by hour, and to change the plan: npx coppice studio`);
