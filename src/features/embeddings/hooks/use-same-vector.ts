import { findModel } from '../../../gateway/models/model-record.ts';
import { shownSet } from '../../../state/lab/lab-state.ts';
import { useModels } from '../../models/use-models.ts';
import { describeSameVector } from '../describe-finding.ts';
import { useLabState } from './use-lab.ts';

/** Returns the remark on a text whose vector is that of another text, and that text; undefined for all others. */
export function useSameVector(): (text: number) => { remark: string; other: string } | undefined {
  const set = useLabState(shownSet);
  const texts = useLabState((state) => state.texts);
  const models = useModels().data?.models;
  const maxTokens = models && set && findModel(models, set.model)?.contextTokens;
  return (text) => {
    const same = set?.sameVector.get(text);
    if (same === undefined) return undefined;
    const other = texts[same]?.text ?? '';
    return { remark: describeSameVector(texts[text]?.text ?? '', other, maxTokens), other };
  };
}
