app.get("/sum", (req, res) => {
  res.json(JSON.parse(req.query.value));
});
