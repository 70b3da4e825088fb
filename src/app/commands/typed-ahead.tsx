import { Loading } from '../../ui/hooks/lazy-view.tsx';
import type { PageStateStore } from '../page-state.ts';
import { useTypedAhead } from '../page/use-typed-ahead.ts';

/** Stands for the command field until its code is here: what is typed is meant for it and for nothing else. */
export function TypedAhead({ pageState }: { pageState: PageStateStore }) {
  useTypedAhead(pageState);
  return <Loading />;
}
