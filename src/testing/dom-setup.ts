/** Prepares Testing Library for the components project. Vitest loads this file before each test file. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(cleanup);

// Ends what hangs: a lazy module may load slowly on a busy machine.
configure({ asyncUtilTimeout: 30_000 });
