import { clsx } from 'clsx';
import { useRef, useState } from 'react';

import { pluralize } from '../../../lib/format.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import { reportFailure } from '../../../state/notices.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea, typeInto } from '../../../ui/controls/text-area.tsx';
import { chipVariants } from '../../../ui/display/tag.tsx';
import { anyTextArea, getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { Pencil } from '../../../ui/late-icons.tsx';
import { openCreatedTrial } from '../trial-routes.ts';
import { useTrial, useFullTrialState } from '../use-trial.ts';
import { SetupSection } from './setup-section.tsx';
import { countEarlierMessages, getPromptText, withPromptText } from './trial-prompt.ts';

/** Prompt sent with every case. Editing it when there are answers creates version 2. */
export function PromptField() {
  const { notices, router } = useAppServices();
  const trial = useTrial();
  const { trial: data, hasAnswers, progress } = useFullTrialState();
  const [editedText, setEditedText] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  const text = editedText ?? getPromptText(data.messages);
  const earlierCount = countEarlierMessages(data.messages);
  const hasPromptChanged =
    hasAnswers && editedText !== undefined && editedText !== getPromptText(data.messages);

  const insert = (variable: string) => {
    const insertion = text === '' || /\s$/.test(text) ? variable : ` ${variable}`;
    if (area.current && typeInto(area.current, insertion, text.length)) return;
    trial.setMessages(withPromptText(data.messages, text + insertion));
  };
  const startVersion = async () => {
    const pendingId = trial.createNextVersion(withPromptText(data.messages, text));
    await openCreatedTrial(router, pendingId);
    setEditedText(undefined);
  };

  return (
    <SetupSection title="Prompt">
      <TextArea
        ref={area}
        aria-label="Prompt"
        className="field-sizing-content max-h-80 min-h-15 w-full resize-none rounded-2 border border-edge bg-raised px-2.5 py-2 text-13"
        dir="auto"
        spellCheck={false}
        placeholder="Use {{name}} to insert a case value"
        value={text}
        onText={(next) => {
          if (hasAnswers) setEditedText(next);
          else if (!trial.setMessages(withPromptText(data.messages, next))) setEditedText(next);
        }}
      />
      {data.fields.length > 0 && !hasAnswers && (
        <p className="mt-1.5 flex flex-wrap gap-1">
          {data.fields.map((field) => (
            <button
              key={field}
              type="button"
              title={`Insert {{${field}}}`}
              className={clsx(chipVariants(), 'min-h-6 hover:bg-hover')}
              onClick={() => insert(`{{${field}}}`)}
            >
              {`{{${field}}}`}
            </button>
          ))}
        </p>
      )}
      {earlierCount > 0 && (
        <p className="mt-1.5 text-12 text-ink-3">{pluralize(earlierCount, 'earlier message')}</p>
      )}
      {hasPromptChanged && (
        <div
          role="group"
          aria-label="Changed prompt"
          className="mt-2 rounded-3 border border-warn/60 bg-warn-wash px-3 py-2.5"
        >
          <p className="flex items-center gap-2 font-[600] text-warn-ink">
            <Pencil className="icon-14" aria-hidden />
            Prompt changed after {pluralize(progress.ended, 'answer')}
          </p>
          <p className="mt-1 text-12 text-pretty text-ink-2">
            Existing answers belong to the old prompt. Version 2 has the same cases and no answers. This trial
            stays unchanged.
          </p>
          <p className="mt-2 flex flex-wrap gap-2">
            <Button
              size="small"
              {...getNextFocusAttributes(anyTextArea)}
              onClick={() => setEditedText(undefined)}
            >
              Discard changes
            </Button>
            <Button size="small" onClick={() => reportFailure(notices, startVersion())}>
              Create version 2
            </Button>
          </p>
        </div>
      )}
    </SetupSection>
  );
}
