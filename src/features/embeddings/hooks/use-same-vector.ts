import { getShownSet } from '../../../state/lab/lab-state.ts';
import { useFindModel } from '../../models/use-model-lists.ts';
import { describeSameVector } from '../describe-finding.ts';
import { useLabState } from './use-lab.ts';

/**
 * Returns a lookup by text: if another text has the same vector, a remark and that other text, otherwise `undefined`.
 */
export function useSameVector(): (text: number) => { remark: string; otherText: string } | undefined {
  const set = useLabState(getShownSet);
  const texts = useLabState((state) => state.texts);
  const findModel = useFindModel();
  const maxTokens = set && findModel(set)?.contextTokens;
  return (text) => {
    const otherIndex = set?.sameVector.get(text);
    if (otherIndex === undefined) return undefined;
    const otherText = texts[otherIndex]?.text ?? '';
    return { remark: describeSameVector(texts[text]?.text ?? '', otherText, maxTokens), otherText };
  };
}
