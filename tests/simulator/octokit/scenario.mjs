// Second witness: GitHub's own client drives the simulator. Prints what it saw as JSON.
import { readFileSync } from "node:fs";
import { App, Octokit } from "octokit";

const asked = JSON.parse(readFileSync(0, "utf8"));
const place = { owner: asked.owner, repo: asked.repo };
const number = asked.number;

const app = new App({
  appId: asked.appId,
  privateKey: asked.privateKey,
  webhooks: { secret: asked.secret },
  Octokit: Octokit.defaults({ baseUrl: asked.baseUrl, throttle: { enabled: false } }),
});
const self = await app.octokit.rest.apps.getAuthenticated();
const installation = await app.octokit.rest.apps.getRepoInstallation(place);
const octokit = await app.getInstallationOctokit(installation.data.id);
const rest = octokit.rest;

const pull = await rest.pulls.get({ ...place, pull_number: number });
const files = await octokit.paginate(rest.pulls.listFiles, {
  ...place, pull_number: number, per_page: 1,
});
const run = await rest.checks.create({
  ...place, name: "Recloser", head_sha: pull.data.head.sha, status: "in_progress",
});
const annotation = {
  path: files[0].filename, start_line: 10, end_line: 10,
  annotation_level: "warning", message: "changed",
};
for (let page = 0; page < 2; page += 1) {
  await rest.checks.update({
    ...place, check_run_id: run.data.id,
    output: { title: "T", summary: "S", annotations: [annotation] },
  });
}
await rest.checks.update({
  ...place, check_run_id: run.data.id, status: "completed", conclusion: "success",
});
const annotations = await rest.checks.listAnnotations({
  ...place, check_run_id: run.data.id,
});
await rest.issues.addLabels({ ...place, issue_number: number, labels: ["seen"] });
const review = await rest.pulls.createReview({
  ...place, pull_number: number, event: "COMMENT", body: "B",
  comments: [{ path: files[0].filename, line: 10, side: "RIGHT", body: "C" }],
});
let refused = 0;
try {
  await rest.pulls.createReview({
    ...place, pull_number: number, event: "COMMENT", body: "B",
    comments: [{ path: files[0].filename, line: 40, side: "RIGHT", body: "C" }],
  });
} catch (error) {
  refused = error.status;
}
const comment = await rest.issues.createComment({
  ...place, issue_number: number, body: "D",
});
await rest.reactions.createForIssueComment({
  ...place, comment_id: comment.data.id, content: "eyes",
});
const content = await rest.repos.getContent({ ...place, path: "README.md" });
const compared = await rest.repos.compareCommitsWithBasehead({
  ...place, basehead: "main...feature",
});
const deliveries = await app.octokit.rest.apps.listWebhookDeliveries();
const verified = await app.webhooks.verify(asked.payload, asked.signature);
const forged = await app.webhooks.verify(`${asked.payload} `, asked.signature);

console.log(JSON.stringify({
  app: self.data.slug,
  files: files.map((file) => file.filename),
  annotations: annotations.data.length,
  review: review.data.state,
  refused,
  content: Buffer.from(content.data.content, "base64").toString(),
  ahead: compared.data.ahead_by,
  deliveries: deliveries.data.length,
  verified,
  forged,
}));
