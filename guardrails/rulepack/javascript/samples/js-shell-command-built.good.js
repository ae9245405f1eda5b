import { exec, execFile } from "child_process";

export function tag(name) {
  execFile("git", ["tag", "--", name]);
  exec("git fetch " + "--tags");
}
