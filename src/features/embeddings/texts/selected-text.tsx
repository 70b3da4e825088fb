import { useFailureWords } from '../hooks/use-failure-words.ts';
import { useControlState } from '../hooks/use-lab-control.ts';
import { useLabState } from '../hooks/use-lab.ts';

/** The whole of the text that is pointed at, and why it has no vector where it has none. */
export function SelectedText() {
  const { current, chosen } = useLabState((state) => state.selection);
  const text = useLabState((state) => (current === undefined ? undefined : state.texts[current]));
  const group = useLabState((state) => (text?.group === undefined ? undefined : state.groups[text.group]));
  const failure = useControlState((state) =>
    current === undefined ? undefined : state.jobs.A?.failure(current),
  );
  const failureInWords = useFailureWords(failure !== undefined);
  if (!text) return null;
  return (
    <div className="selected-text" role="status" aria-label="Selected text">
      {chosen.length > 1 && <p className="mut">{chosen.length} texts are selected. The current one:</p>}
      <p dir="auto">{text.text}</p>
      {group !== undefined && <p className="mut">{group}</p>}
      {failure && <p className="failed">{failureInWords(failure)}</p>}
    </div>
  );
}
