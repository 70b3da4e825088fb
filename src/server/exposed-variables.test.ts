import { expect, it } from 'vitest';

import { findExposedSecrets } from './exposed-variables.ts';

it("lists only secrets that Vite would include in the browser's code", () => {
  const names = [
    'VITE_API_KEY',
    'VITE_token',
    'VITE_MY_SECRET',
    'VITE_PASSWORD',
    'VITE_MODE',
    'GATEWAY_API_KEY',
    'MY_VITE_KEY',
  ];
  const environment = Object.fromEntries(names.map((name) => [name, 'x']));
  expect(findExposedSecrets(environment)).toEqual([
    'VITE_API_KEY',
    'VITE_token',
    'VITE_MY_SECRET',
    'VITE_PASSWORD',
  ]);
});
