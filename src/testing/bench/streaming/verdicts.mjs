export function printVerdicts() {
  return undefined;
}
