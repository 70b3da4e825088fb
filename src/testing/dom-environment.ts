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
    return environment;
  },
};

// Vitest reads the default export.
export default domEnvironment;
