/** Completes happy-dom for the components project. Vitest loads this file before each test file. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(cleanup);

// Ends what hangs: a lazy module may load slowly on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// As in a browser that does not support the command; the app then changes fields on its own.
document.execCommand = () => false;

// Without layout nothing covers a popover, so it needs no top layer.
Object.assign(HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined });
