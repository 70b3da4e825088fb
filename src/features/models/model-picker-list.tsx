/** The parts of the open picker. */
import { clsx } from 'clsx';

import type { ModelChoice } from '../../conversation/session/types.ts';
import { readLearnedAbilities } from '../../conversation/setup/learned-abilities.ts';
import { formatRelativeTime } from '../../lib/relative-time.ts';
import { useLearnedRecords, usePrefs, useAppServices } from '../../state/contexts.tsx';
import { getFirstTokenMs } from '../../state/learned-models.ts';
import type { ModelOrder } from '../../state/prefs-store.ts';
import { TextButton } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { KeyboardShortcut } from '../../ui/display/keyboard-shortcut.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { Brain, Image, Wrench } from '../../ui/icons.tsx';
import { ModelListStatus, type NamedModelList } from './model-list-status.tsx';
import { ModelRow, TypedRow } from './model-row.tsx';
import { filterAbilities, type FilterAbility, type ModelOption, type PickerKind } from './picker-options.ts';

const filterLabels = {
  vision: [Image, 'Images'],
  tools: [Wrench, 'Tools'],
  thinking: [Brain, 'Reasoning'],
} as const;

interface RowProps {
  option: ModelOption;
  query: string;
  /** True if the gateway lists the typed ID. */
  isListed: boolean;
}

/** An option. */
export function PickerRow({ option, query, isListed }: RowProps) {
  const { id, isTyped, choice } = option;
  const learned = useLearnedRecords();
  const isRecent = usePrefs(({ recentModels }) => recentModels.includes(id));
  const favourite = useFavourite(id);
  if (isTyped) return <TypedRow id={choice.model} isListed={isListed} />;
  const learnedOfModel = readLearnedAbilities(learned, id);
  const isUsed = isRecent || Object.keys(learnedOfModel).length > 0;
  return (
    <ModelRow
      option={option}
      learned={learnedOfModel}
      firstTokenMs={getFirstTokenMs(learned, id) ?? (isUsed ? 'unmeasured' : undefined)}
      query={query}
      isFavourite={favourite.isOn}
      onToggleFavourite={favourite.toggle}
    />
  );
}

const orderLabels: Readonly<Record<ModelOrder, string>> = {
  price: 'Price',
  context: 'Context',
  owner: 'Owner',
};

interface HeadProps {
  kind: PickerKind;
  requiredAbilities: readonly FilterAbility[];
  onToggleAbility: (ability: FilterAbility) => void;
  /** Orders to choose from, beside that of the list. */
  orders: readonly ModelOrder[];
  order: ModelOrder | undefined;
  onOrder: (order: ModelOrder | undefined) => void;
  lists: readonly NamedModelList[];
  count: number;
  total: number;
  /** True if the context length of some models is known. */
  hasContext: boolean;
}

/** Filters, order, number of models and column headings. */
export function PickerHead({
  kind,
  requiredAbilities,
  onToggleAbility,
  orders,
  order,
  onOrder,
  lists,
  count,
  total,
  hasContext,
}: HeadProps) {
  return (
    <>
      {kind === 'chat' && (
        <span className="flex flex-wrap gap-1.5" role="group" aria-label="Only models with">
          {filterAbilities.map((ability) => {
            const [Icon, label] = filterLabels[ability];
            return (
              <Tag
                key={ability}
                pressed={requiredAbilities.includes(ability)}
                onPress={() => onToggleAbility(ability)}
              >
                <Icon className="icon-14" aria-hidden />
                {label}
              </Tag>
            );
          })}
        </span>
      )}
      {orders.length > 0 && (
        <span className="flex items-center gap-1.5 max-phone:flex-[1_0_100%] phone:ml-2">
          <span aria-hidden>Sort</span>
          <Segmented
            label="Sort models"
            value={orders.find((available) => available === order) ?? 'listed'}
            choices={[
              { value: 'listed', label: 'As listed' },
              ...orders.map((value) => ({ value, label: orderLabels[value] })),
            ]}
            onChange={(value) => onOrder(value === 'listed' ? undefined : value)}
          />
        </span>
      )}
      <span className="min-w-0 flex-1" />
      <ModelListStatus lists={lists} count={count} total={total} />
      {total > 0 && <Columns kind={kind} hasContext={hasContext} />}
    </>
  );
}

/** Column headings in the grid of `ModelRow`; hidden when rows have two lines. */
function Columns({ kind, hasContext }: Pick<HeadProps, 'kind' | 'hasContext'>) {
  const isChat = kind === 'chat';
  return (
    <span
      className={clsx(
        '-mx-3 mt-0.5 -mb-1.5 grid h-6 min-w-0 flex-[1_0_100%] items-center pr-3.5 pl-2.5 text-11 text-ink-3',
        'grid-cols-[24px_230px_22px_minmax(0,1fr)] group-data-[layout=stacked]/models:hidden',
      )}
      aria-hidden
    >
      <span />
      <span>Model</span>
      <span />
      <span
        className={clsx(
          'grid min-w-0 items-center [&>*]:not-first:overflow-hidden [&>*]:not-first:text-right [&>*]:not-first:text-ellipsis',
          isChat
            ? 'grid-cols-[minmax(0,1fr)_84px_104px] group-has-data-price/models:grid-cols-[minmax(0,1fr)_76px_116px_96px]'
            : 'grid-cols-[minmax(0,1fr)_auto_auto]',
        )}
      >
        <span>{isChat ? 'Capabilities' : ''}</span>
        <span>{hasContext && 'Context'}</span>
        <span className="hidden w-29 group-has-data-price/models:block">1M tokens in / out</span>
        {isChat && <span>Last TTFT</span>}
      </span>
    </span>
  );
}

interface FootProps {
  kind: PickerKind;
  /** Current model; its ID is empty if none is selected. */
  value: ModelChoice;
  lists: readonly NamedModelList[];
  /** Description of the marked model, possibly empty; `undefined` if no model has one. */
  description: string | undefined;
}

/** Description of the marked model, keyboard hints, the star of the current model and the age of the list. */
export function PickerFoot({ kind, value, lists, description }: FootProps) {
  const { environment, gateways } = useAppServices();
  const favourite = useFavourite(gateways.getModelKey(value));
  const dataUpdatedAt = Math.min(...lists.map(({ list }) => list.dataUpdatedAt));
  return (
    <>
      {/* Its height is constant, so that the list does not move. The options have it for screen readers. */}
      {description !== undefined && (
        <p
          className={clsx(
            'line-clamp-1 h-4 flex-[1_0_100%] text-ink-2',
            'group-data-[layout=stacked]/models:line-clamp-2 group-data-[layout=stacked]/models:h-8',
          )}
          title={description}
          aria-hidden
        >
          {description}
        </p>
      )}
      <span className="flex items-center gap-1.5 group-data-[layout=stacked]/models:hidden pointer-coarse:hidden">
        <kbd>↑</kbd>
        <kbd>↓</kbd>
        <span>move</span>
        <kbd>Enter</kbd>
        <span>use{kind === 'chat' && ' here'}</span>
        {kind === 'chat' && (
          <>
            <KeyboardShortcut keys={[['Mod', 'Enter']]} />
            <span>new lane</span>
          </>
        )}
        <kbd>Esc</kbd>
        <span>cancel</span>
      </span>
      <span className="min-w-0 flex-1" />
      {value.model !== '' && (
        <TextButton title={value.model} onClick={favourite.toggle}>
          {favourite.isOn ? 'Remove from favourites' : 'Add to favourites'}
        </TextButton>
      )}
      {dataUpdatedAt > 0 && <span>Updated {formatRelativeTime(dataUpdatedAt, environment.now())}</span>}
    </>
  );
}

/** `key`: key of the model (model-key.ts). */
function useFavourite(key: string) {
  const { prefs } = useAppServices();
  const favourites = usePrefs((state) => state.favouriteModels);
  const isFavourite = favourites.includes(key);
  const toggle = () => {
    const remaining = favourites.filter((favourite) => favourite !== key);
    prefs.setState({ favouriteModels: isFavourite ? remaining : [...favourites, key] });
  };
  return { isOn: isFavourite, toggle };
}
