app.get("/user", (req, res) => {
  db.query("SELECT * FROM users WHERE name = ?", [req.query.name], (rows) => res.json(rows));
});
