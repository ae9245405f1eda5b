const fs = require("fs");

app.get("/file", (req, res) => {
  fs.readFile("/srv/files/" + req.query.name, (error, data) => res.end(data));
});
