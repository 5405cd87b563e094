console.log("coppice");
