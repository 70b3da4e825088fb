/** Every name begins with it. */
const every = [''];
/** One walk of the main job. */
const road = ['channel.spec.ts', 'road.spec.ts', 'send.spec.ts', 'reload.spec.ts'];
const faults = ['faults/catalogue.spec.ts', 'faults/connection-faults.spec.ts', 'faults/parts.spec.ts'];
const looks = [
  'gallery.spec.ts',
  'looks.spec.ts',
  'phone.spec.ts',
  'pictures.spec.ts',
  'printing.spec.ts',
  'room.spec.ts',
  'scroll.spec.ts',
  'shift.spec.ts',
  'steady-places.spec.ts',
];
const byHand = ['focus.spec.ts', 'keyboard.spec.ts', 'names.spec.ts'];
const storage = ['durability.spec.ts', 'earlier-records.spec.ts', 'long-session.spec.ts', 'sessions.spec.ts'];
const tools = ['structured.spec.ts', 'tools.spec.ts'];
const server = ['bundle.spec.ts', 'foreign-page.spec.ts', 'insecure-origin.spec.ts'];
const lab = ['embeddings-views.spec.ts', 'embeddings.spec.ts', 'vector-worker.spec.ts'];
/** The tasks of a day, by hand. */
const tasks = ['tasks.spec.ts'];
const messages = ['images.spec.ts', 'lanes.spec.ts', 'messages.spec.ts', 'versions.spec.ts'];

/**
 * Which browser tests a change can break: files of e2e, by how the path of the changed file begins. The longest
 * beginning counts. A change that unit tests and one walk can judge names no more than that.
 */
export const browserSpecs = {
  '': every,
  '.': [],
  'e2e/faults/': faults,
  'e2e/pictures/': ['pictures.spec.ts'],
  'e2e/records/': ['earlier-records.spec.ts'],
  'e2e/soak/': [],
  'src/app/': [...road, ...byHand, ...looks, ...tasks, 'palette.spec.ts', 'settings.spec.ts'],
  'src/app/gallery': ['gallery.spec.ts'],
  'src/conversation/': [...road, ...messages, 'code.spec.ts'],
  'src/demo-gateway/': road,
  'src/documentation/': [],
  'src/embedding/': lab,
  'src/features/embeddings/': [...lab, ...tasks, 'steady-places.spec.ts'],
  'src/features/health/': ['health.spec.ts', 'steady-places.spec.ts'],
  'src/features/history/': ['history.spec.ts', 'find.spec.ts', 'steady-places.spec.ts'],
  'src/features/models/': ['models.spec.ts', ...byHand],
  'src/features/palette/': ['palette.spec.ts', ...byHand],
  'src/features/trials/': [
    'trials.spec.ts',
    'trial-states.spec.ts',
    'names.spec.ts',
    'steady-places.spec.ts',
  ],
  'src/features/playground/': [
    ...road,
    ...byHand,
    ...looks,
    ...messages,
    ...tasks,
    'errors.spec.ts',
    'code.spec.ts',
  ],
  'src/features/playground/attachments/': ['images.spec.ts', 'paste.spec.ts', ...byHand, ...looks],
  'src/features/playground/code/': ['code.spec.ts', ...byHand],
  'src/features/playground/composer/': [...road, ...byHand, ...looks, ...messages, 'paste.spec.ts'],
  'src/features/playground/events/': ['inspector.spec.ts', ...byHand],
  'src/features/playground/find/': ['find.spec.ts', 'names.spec.ts'],
  'src/features/playground/inspector/': ['inspector.spec.ts', 'code.spec.ts', ...byHand],
  'src/features/playground/media/': ['images.spec.ts', ...looks],
  'src/features/playground/presentation/': ['presentation.spec.ts', ...byHand],
  'src/features/playground/replay/': ['replay.spec.ts', 'inspector.spec.ts'],
  'src/features/playground/setup/': ['parameters.spec.ts', ...tools, ...byHand],
  'src/features/playground/tool-editor/': tools,
  'src/features/playground/tools/': tools,
  'src/gateway/': [...road, ...faults, 'errors.spec.ts'],
  'src/lib/': road,
  'src/main.tsx': [...road, ...server],
  'src/markdown/': ['markdown.spec.ts', 'rendering.spec.ts', 'scroll.spec.ts'],
  'src/scripts/': [],
  'src/server/': [...road, ...server, 'health.spec.ts'],
  'src/state/': [...road, ...storage, ...messages, 'health.spec.ts', 'replay.spec.ts'],
  'src/state/embedding/': lab,
  'src/state/lab/': lab,
  'src/storage/': ['reload.spec.ts', ...storage, 'history.spec.ts'],
  'src/testing/': [],
  'src/state/trials/': ['trials.spec.ts'],
  'src/trials/': ['trials.spec.ts'],
  'src/ui/': [...road, ...byHand, ...looks],
  'src/walks/': [],
};

/** The specs to run after a change of these files, as filters for Playwright. */
export function specsFor(files, table = browserSpecs) {
  const beginnings = Object.keys(table).toSorted((one, other) => other.length - one.length);
  const specs = files
    // Of these the page has nothing.
    .filter((file) => !/\.(?:test\.tsx?|md)$/.test(file))
    .flatMap((file) => {
      if (/^e2e\/(?!soak\/).+\.spec\.ts$/.test(file)) return [file];
      const found = table[beginnings.find((beginning) => file.startsWith(beginning))];
      return found.map((name) => `e2e/${name}`);
    });
  return [...new Set(specs)];
}
