const fs = require("fs");
const path = require("path");

app.get("/file", (req, res) => {
  fs.readFile("/srv/files/" + path.basename(req.query.name), (error, data) => res.end(data));
});
