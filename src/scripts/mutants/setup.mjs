// An error outside of every test turns a run red, but Stryker cannot read it: here it fails the test that it happens in.
import { afterEach } from 'vitest';

const stray = (globalThis.strayErrors ??= collected());

afterEach(() => {
  const [first] = stray.splice(0);
  if (first !== undefined) throw first;
});

function collected() {
  const errors = [];
  const keep = (error) => errors.push(error instanceof Error ? error : new Error(String(error)));
  process.on('uncaughtException', keep);
  process.on('unhandledRejection', keep);
  return errors;
}
