import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';

/** Dialog with the system prompts of the session, loaded on demand. */
export const SystemPromptHistory = lazyOverlay(
  'The system prompt history',
  async () => (await import('./system-prompt-history-dialog.tsx')).SystemPromptHistoryDialog,
);
