import { expect, it } from 'vitest';

import type { ErrorReport } from '../gateway/errors.ts';
import { charactersOf, isAboutDimensions } from './embedding-request.ts';

it('the characters of a text are counted, and those of tokens estimated at six each', () => {
  expect([charactersOf('twelve chars'), charactersOf([1, 2, 3]), charactersOf(undefined)]).toEqual([
    12, 18, 0,
  ]);
});

it('a refusal is about dimensions where its message, its code or one of its fields says so', () => {
  const refused: ErrorReport = { source: 'gateway', kind: 'invalid-request', message: 'No.' };
  const said: Partial<ErrorReport>[] = [
    { message: 'dimensions is not supported' },
    { message: 'The model has no Matryoshka representations' },
    { code: 'unsupported dimension' },
    { fields: [{ path: 'dimensions', message: 'Extra inputs are not permitted' }] },
    { fields: [{ path: 'body', message: 'dimensions must be 256' }] },
  ];
  for (const words of said)
    expect(isAboutDimensions({ ...refused, ...words }), JSON.stringify(words)).toBe(true);
  expect(isAboutDimensions(refused)).toBe(false);
  expect(isAboutDimensions({ ...refused, message: 'twodimensional' })).toBe(false);
  expect(isAboutDimensions({ ...refused, kind: 'overloaded', message: 'dimensions' })).toBe(false);
});
