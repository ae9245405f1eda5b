app.get("/sum", (req, res) => {
  res.json(eval(req.query.formula));
});
