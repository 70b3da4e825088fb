import { clsx } from 'clsx';
import { useRef, useState } from 'react';

import { getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { lazyComponent, Loading } from '../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { usePageFileDrop } from '../../ui/hooks/use-page-file-drop.ts';
import { messageField } from '../workspace/playground-focus-targets.ts';
import { ComposerActions } from './composer-actions.tsx';
import { ComposerField } from './composer-field.tsx';
import { ImportedFields } from './composer-targets.tsx';
import { useComposerDraft } from './use-composer-draft.ts';
import { usePickedFiles } from './use-picked-files.ts';
import { useSending } from './use-sending.ts';

const ComposerTop = lazyComponent(
  'Attachments',
  async () => (await import('./composer-attachments.tsx')).ComposerAttachments,
  {
    // Indicates that newly added attachments are being loaded.
    fallback: ({ draft, isLinking }) => (draft.attachmentCount > 0 || isLinking) && <Loading />,
    loadTiming: 'first',
  },
);

/** Message field with attachments. Its content is the session's draft until it is sent. */
export function Composer({ sessionId }: { sessionId: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useComposerDraft(sessionId, field);
  const [isLinking, setIsLinking] = useState(false);
  const isLowWindow = useMediaQuery('(width >= 600px) and (height < 800px)');
  // In a short window the field has one line until it is used; then it overlays the content above, which does not move.
  const [isFieldOpen, setIsFieldOpen] = useState(false);
  const sending = useSending(draft, () => setIsFieldOpen(false));
  const hasRemark = sending.warnings.length > 0 || sending.pendingResults !== undefined;
  const hasExtraContent = draft.attachmentCount > 0 || isLinking || hasRemark || draft.text.includes('{{');
  const layout = !isLowWindow ? 'own' : hasExtraContent ? 'all' : isFieldOpen ? 'over' : 'line';
  const isCompact = layout === 'line';
  // On phones the composer is a single row that can be expanded. With pending tool results, the button is too long for
  // a single row.
  const [areToolsExpanded, setAreToolsExpanded] = useState(false);
  const isOneRow = !areToolsExpanded && !hasRemark;
  const isDragOver = usePageFileDrop((files) => void draft.attach(files));
  usePickedFiles((files) => void draft.attach(files));

  return (
    <div
      className={clsx(
        'isolate border-t border-line bg-bench [anchor-name:--bottom-bar] flat:sticky flat:bottom-0 flat:left-0',
        layout === 'own' &&
          'pt-3 pb-4 in-data-[layout=many-lanes]:px-4 max-phone:px-3 max-phone:pt-2 max-phone:pb-3',
        layout === 'all' && 'relative z-4 py-1.5',
        (layout === 'over' || layout === 'line') && 'relative z-4 h-13 flat:h-11',
      )}
    >
      <div
        className={clsx(
          'in-data-[layout=one-lane]:mx-auto in-data-[layout=one-lane]:max-w-228',
          layout === 'own' && 'in-data-[layout=one-lane]:px-4 max-phone:px-0',
          layout === 'all' && 'px-4',
          (layout === 'over' || layout === 'line') && 'absolute inset-x-0 bottom-1.25 px-4 flat:bottom-0.75',
        )}
      >
        {/* Inside a form, because otherwise browsers scan the whole page on every key press in the field. Submitting
            has no effect. */}
        <form
          method="dialog"
          className={clsx(
            'relative rounded-4 border bg-raised [anchor-name:--composer-field] max-phone:rounded-[14px]',
            isDragOver
              ? 'border-needle shadow-[inset_0_0_0_1px_var(--needle)]'
              : 'border-edge shadow-e-1 focus-within:border-ink focus-within:shadow-[inset_0_0_0_1px_var(--ink)]',
            isCompact && 'flex h-10 items-center px-1 flat:h-9',
          )}
          data-region="composer"
          {...getNextFocusAttributes(messageField)}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) setIsFieldOpen(false);
          }}
        >
          <ImportedFields targets={sending.targets} />
          <ComposerTop
            draft={draft}
            targets={sending.targets}
            isLinking={isLinking}
            onLinkClose={() => setIsLinking(false)}
            isCompact={isCompact}
          />
          <ComposerField
            field={field}
            draft={draft}
            sending={sending}
            isCompact={isCompact}
            isOneRow={isOneRow}
            onOpen={() => setIsFieldOpen(true)}
          />
          <ComposerActions
            draft={draft}
            sending={sending}
            onLink={() => setIsLinking(!isLinking)}
            isExpanded={areToolsExpanded}
            onExpandedChange={setAreToolsExpanded}
            isCompact={isCompact}
            isOneRow={isOneRow}
          />
        </form>
      </div>
    </div>
  );
}
