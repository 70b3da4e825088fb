/** Lists variables that look like secrets and that Vite would include in the browser's code. */
export function findExposedSecrets(environment: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith('VITE_') && /KEY|TOKEN|SECRET|PASS/i.test(name),
  );
}
