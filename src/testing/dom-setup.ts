/** Completes happy-dom for the components project. Vitest loads this file before each test file. */
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(cleanup);
