const child_process = require("child_process");

app.get("/ping", (req, res) => {
  child_process.exec("ping -c 1 " + req.query.host, () => res.end());
});
