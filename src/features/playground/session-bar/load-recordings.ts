import { loadRows } from '../conversation/load-rows.ts';

/** The first seconds belong to whoever opens the page to write. */
const waitMs = 1500;

/**
 * The views of messages at once; then everything that reads recordings and files: those must open also after the
 * network has gone, when nothing more can be fetched.
 */
export async function loadRecordings(): Promise<void> {
  await loadRows();
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  await Promise.all([
    import('./save-session.ts'),
    import('./import-sessions.ts'),
    import('../inspector/inspector.tsx'),
    import('../inspector/lane-switch.tsx'),
    import('../code/code-view.tsx'),
    import('../inspector/conformance-view.tsx'),
    import('../trace/cursor-text.tsx'),
    import('../replay/replay-overlay.tsx'),
    import('../../../conversation/session/revive.ts'),
    import('../../../conversation/reply/fold-tape.ts'),
    import('../../../state/sessions/library-import.ts'),
    import('../../../state/sessions/library-export.ts'),
    import('../../../state/runs/replay-files.ts'),
  ]);
}
