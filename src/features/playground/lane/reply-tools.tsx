import { Copy, RotateCw, Trash2 } from 'lucide-react';
import { textOf } from '../../../conversation/run.ts';
import { answerVersions } from '../../../conversation/tree.ts';
import type { Run, Turn } from '../../../conversation/types.ts';
import { usePlayground, useSessionParts } from '../../../state/react.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { VersionStepper } from './version-stepper.tsx';

/** What can be done with an answer, and the stepper through its versions. */
export function ReplyTools({ turn, run }: { turn: Turn; run: Run }) {
  const { actions } = usePlayground();
  const versionIds = useSessionParts((data) => answerVersions(data, turn).map((version) => version.id)) ?? [];
  const text = textOf(run.choices[turn.shownChoice ?? 0]);
  return (
    <div className="rbar" role="toolbar" aria-label="Answer">
      <IconButton label="Copy" size="small" disabled={text === ''} onClick={() => void copyText(text)}>
        <Copy className="i s" aria-hidden />
      </IconButton>
      <IconButton label="Regenerate" size="small" onClick={() => void actions.regenerate([turn.id])}>
        <RotateCw className="i s" aria-hidden />
      </IconButton>
      <IconButton label="Delete" size="small" onClick={() => void actions.deleteTurns([turn.id])}>
        <Trash2 className="i s" aria-hidden />
      </IconButton>
      <VersionStepper
        shown={versionIds.indexOf(turn.id) + 1}
        count={versionIds.length}
        onStep={(step) => actions.stepAnswer(turn.id, step)}
      />
    </div>
  );
}
