export function apply(rule: string): unknown {
  return eval(rule);
}
