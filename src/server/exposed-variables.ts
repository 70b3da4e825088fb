/**
 * Names of variables that Vite would write into the browser's code although they look like a secret.
 */
export function findExposedSecrets(environment: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith('VITE_') && /KEY|TOKEN|SECRET|PASS/i.test(name),
  );
}
