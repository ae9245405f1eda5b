const child_process = require("child_process");

app.get("/ping", (req, res) => {
  child_process.execFile("ping", ["-c", "1", "--", req.query.host], () => res.end());
});
