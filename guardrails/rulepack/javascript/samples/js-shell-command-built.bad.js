import { exec } from "child_process";

export function tag(name) {
  exec(`git tag ${name}`);
}
