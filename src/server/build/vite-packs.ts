import path from 'node:path';

import { normalizePath } from 'vite';
import type { Plugin, ResolveModulePreloadDependenciesFn, Rolldown } from 'vite';

/** What is loaded together, by the modules that are asked for then. */
const packs = {
  /** Before one can write. */
  app: ['main.tsx'],
  /** On every screen, as soon as it has nothing better to do. */
  later: ['app/commands/later.tsx'],
  /** With the first message, or before it in an idle moment. */
  messages: [
    'features/playground/conversation/conversation-rows.tsx',
    'features/playground/composer/composer-more.tsx',
    'gateway/stream/stream-events.ts',
    'gateway/stream/chat.ts',
  ],
  'embeddings-screen': ['features/embeddings/embeddings-screen.tsx', 'gateway/embeddings/embeddings.ts'],
  /** With the first act on what the lab shows. */
  'lab-acts': ['features/embeddings/lab/lab-acts.ts'],
  'history-screen': ['features/history/history-screen.tsx'],
} as const;

type PackName = keyof typeof packs;
type GetModuleInfo = Rolldown.PluginContext['getModuleInfo'];

/**
 * Names the file that a module of the app is put into. Left to itself the bundler makes a file of each set of modules
 * that the same late imports need: over a hundred small ones, which compress badly and are fetched one by one. What
 * comes after the messages finds their file there; what another screen shares with them is a file of its own, so that it
 * does not load them; what no pack needs is left to the bundler.
 */
export function packsOf(root: string): Rolldown.CodeSplittingNameFunction {
  const source = path.posix.join(normalizePath(root), 'src');
  let reached: Map<string, ReadonlySet<string>> | undefined;
  return (id, context) => {
    reached ??= reachedBy(source, (one) => context.getModuleInfo(one));
    return fileOf(reached.get(id) ?? new Set());
  };
}

function fileOf(needed: ReadonlySet<string>): PackName | 'common' | null {
  if (needed.has('app')) return 'app';
  if (needed.has('later')) return 'later';
  if (needed.has('messages')) return [...needed].every(isOfMessages) ? 'messages' : 'common';
  for (const screen of ['embeddings-screen', 'history-screen'] as const)
    if (needed.has(screen)) return [...needed].every((name) => isOf(screen, name)) ? screen : null;
  if (needed.has('lab-acts'))
    return [...needed].every((name) => isOf('embeddings-screen', name)) ? 'lab-acts' : null;
  return null;
}

/** The messages themselves, or a late import of the playground's, which shows them. */
function isOfMessages(name: string): boolean {
  return name === 'messages' || /src\/(?:features\/playground\/|markdown\/|app\/gallery)/.test(name);
}

/** A screen itself, or a late import from its own folders: the screen is there by then (e2e/bundle.spec.ts). */
function isOf(screen: 'embeddings-screen' | 'history-screen', name: string): boolean {
  if (name === screen) return true;
  return screen === 'embeddings-screen'
    ? name === 'lab-acts' || /src\/(?:features\/embeddings|embedding)\/(?!lab\/lab-deeds)/.test(name)
    : /src\/features\/history\//.test(name);
}

/** For each module the packs that need it at once, and every other late import that does. */
function reachedBy(source: string, infoOf: GetModuleInfo): Map<string, ReadonlySet<string>> {
  const packOf = new Map(
    Object.entries(packs).flatMap(([name, roots]) =>
      roots.map((root): [string, string] => [`${source}/${root}`, name]),
    ),
  );
  const reached = new Map<string, Set<string>>();
  // Sets are walked to their end, also to what is added on the way.
  const late = new Set(packOf.keys());
  for (const root of late) {
    const atOnce = new Set([root]);
    for (const id of atOnce) {
      const info = infoOf(id);
      for (const next of info?.importedIds ?? []) atOnce.add(next);
      for (const next of info?.dynamicallyImportedIds ?? []) late.add(next);
      const names = reached.get(id) ?? new Set();
      reached.set(id, names.add(packOf.get(root) ?? root));
    }
  }
  return reached;
}

/**
 * Names fewer files beside each late import: what the page or the importing file has loaded itself needs no preload,
 * and names of files hardly compress.
 */
export function neededPreloads(): Plugin & { resolveDependencies: ResolveModulePreloadDependenciesFn } {
  let importsOf: (file: string) => readonly string[] = () => [];
  let entries: string[] = [];
  return {
    name: 'needed-preloads',
    enforce: 'pre',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      entries = chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName);
      importsOf = (file) => chunks.find((chunk) => chunk.fileName === file)?.imports ?? [];
    },
    resolveDependencies(_file, dependencies, { hostId, hostType }) {
      if (hostType === 'html') return dependencies;
      const there = new Set([...entries, hostId]);
      for (const file of there) for (const imported of importsOf(file)) there.add(imported);
      return dependencies.filter((file) => !there.has(file));
    },
  };
}
