/**
 * A Vitest environment: the DOM of happy-dom with the network of Node, so that components under test talk to real
 * servers.
 */
import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** The classes of happy-dom check origins as a browser does, and those of Node are what servers and storage expect. */
const nodeGlobals = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'File',
  'FormData',
  'Headers',
  'MessagePort',
  'Request',
  'Response',
  'URL',
  'URLSearchParams',
  'WebSocket',
  'fetch',
] as const;

/** Large enough for all parts of a screen. */
const viewport = { width: 1440, height: 900 };

const domEnvironment: Environment = {
  name: 'dom',
  viteEnvironment: 'ssr',
  setup: async (global) => {
    const kept = nodeGlobals.map((name) => [name, Reflect.get(global, name)] as const);
    const environment = await builtinEnvironments['happy-dom'].setup(global, { happyDOM: viewport });
    for (const [name, value] of kept) Reflect.set(global, name, value);
    completeDom();
    return environment;
  },
};

/** Adds what happy-dom lacks and the app or the test tools use. */
function completeDom(): void {
  // Browsers without this command return false; the app then changes fields on its own.
  document.execCommand = () => false;

  // Without layout nothing covers a popover, so it needs no top layer.
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined });

  // Accessible names have spaces around everything that is not inline.
  const style = document.createElement('style');
  style.textContent =
    'a, b, code, em, i, kbd, mark, small, span, strong, u { display: inline } td, th { display: table-cell }';
  document.head.append(style);

  // Without layout every box is as large inside as the viewport, so that lists mount the rows that a user would see.
  for (const [property, size] of [
    ['clientWidth', viewport.width],
    ['clientHeight', viewport.height],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, property, { configurable: true, get: () => size });
}

// Vitest reads the default export.
export default domEnvironment;
