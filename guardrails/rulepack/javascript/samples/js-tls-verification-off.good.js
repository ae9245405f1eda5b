const https = require("https");

const agent = new https.Agent({ keepAlive: true, ca: authority });
