import { getMessageKey } from '../../../conversation/find/hits.ts';
import { describeLaterTurns } from '../../../conversation/session/prompt-rows.ts';
import { findNewestAnswer, getRowPromptVersions, getTurns } from '../../../conversation/session/turn-tree.ts';
import type { PromptId, TurnId } from '../../../conversation/session/types.ts';
import { useSession, useSessionShallow, useSessionServices } from '../../../state/contexts.tsx';
import { ToolResultsView } from '../../tools/tool-results-view.tsx';
import { PromptMessage } from './prompt-message.tsx';
import { VersionStepper } from './version-stepper.tsx';

interface Props {
  promptId: PromptId;
  /** Turns of the lanes that share the prompt, in lane order; actions apply to all of them. */
  turnIds: readonly TurnId[];
  isLatest: boolean;
}

/** Prompt as a band across the lanes that share it, with its versions. */
export function PromptBand({ promptId, turnIds, isLatest }: Props) {
  const { actions } = useSessionServices();
  const prompt = useSession((data) => data.prompts[promptId]);
  const versionIds =
    useSessionShallow((data) =>
      getRowPromptVersions(data, getTurns(data, turnIds)).map((version) => version.id),
    ) ?? [];
  // Runs for each token of any lane, and most prompts have only one version.
  const laterText = useSession((data) => {
    const [turn] = versionIds.length < 2 ? [] : getTurns(data, turnIds);
    if (!turn) return undefined;
    return describeLaterTurns(
      data,
      versionIds.map((id) => findNewestAnswer(data, turn, id)),
      turn.id,
    );
  });
  if (!prompt) return null;
  const stepper = (
    <VersionStepper
      current={versionIds.indexOf(promptId) + 1}
      count={versionIds.length}
      laterText={laterText}
      onStep={(step) => actions.stepPrompt(turnIds, step)}
    />
  );
  return (
    <>
      {prompt.results && (
        <ToolResultsView
          promptId={promptId}
          results={prompt.results}
          versions={prompt.messages.length === 0 ? stepper : undefined}
          onSave={(results) => void actions.editPrompt(turnIds, prompt.messages, true, results)}
        />
      )}
      {prompt.messages.map((message, index) => (
        <PromptMessage
          key={index}
          message={message}
          draftKey={getMessageKey(promptId, index)}
          turnIds={turnIds}
          isLatest={isLatest}
          versions={index === 0 ? stepper : undefined}
          onSave={(next, shouldRun) => {
            const messages = prompt.messages.with(index, next);
            void actions.editPrompt(turnIds, messages, shouldRun);
          }}
        />
      ))}
    </>
  );
}
