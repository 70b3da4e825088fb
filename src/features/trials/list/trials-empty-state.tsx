import { pluralize } from '../../../lib/format.ts';
import { getDisplayTitle } from '../../../lib/text/trim.ts';
import { useQueue, useSession, useAppServices, useSessionServices } from '../../../state/contexts.tsx';
import { reportFailure } from '../../../state/notices.ts';
import { starters } from '../../../trials/starters/trial-starters.ts';
import { ButtonElement } from '../../../ui/controls/button-element.tsx';
import { type IconComponent } from '../../../ui/icons.tsx';
import {
  ClipboardPaste,
  Columns3,
  Copy,
  ListChecks,
  MessageSquare,
  Split,
  Timer,
} from '../../../ui/late-icons.tsx';
import { useGatewayStatuses } from '../../health/use-status.ts';
import { useTrials } from '../use-trial.ts';
import {
  createTrialFromLanes,
  createTrialFromPrompts,
  createTrialFromStarter,
  createTrialWithCases,
} from './create-trials.ts';
import { describeStarter } from './format-list.ts';
import { listSessionPrompts } from './session-prompts.ts';

const starterIcons: readonly IconComponent[] = [ListChecks, Copy, Timer, Split];

/** Empty state: the purpose of trials, three ways to create one, and the starters. */
export function TrialsEmptyState() {
  const { session } = useSessionServices();
  const { notices, router } = useAppServices();
  const trials = useTrials();
  const laneCount = useSession((data) => data.session.laneIds.length) ?? 0;
  const title = useSession((data) => data.session.title);
  const promptCount = useSession((data) => listSessionPrompts(data).length) ?? 0;
  const report = (action: Promise<unknown>) => reportFailure(notices, action);
  return (
    <div className="mx-auto w-full max-w-220 px-6 pt-26 pb-10 max-phone:px-4 max-phone:pt-8">
      <h2 className="text-22 tracking-[-0.011em]">Find out which setup is really better</h2>
      <p className="mt-1.5 max-w-[70ch] text-15 text-pretty text-ink-2">
        Run a table of cases through several models, settings or prompts. Checks score each answer, and the
        verdict updates while the trial runs.
      </p>
      <div className="mt-8 grid grid-cols-2 gap-10 max-phone:gap-6 @max-4xl/page:grid-cols-1">
        <section>
          <h3 className="border-b border-line-2 pb-1.5 text-11 text-ink-3">Use your own data</h3>
          <StartOption
            Icon={ClipboardPaste}
            title="Import cases"
            description="Spreadsheet rows, CSV, JSON Lines or one case per line"
            onPick={() => report(createTrialWithCases(router, trials))}
          />
          <StartOption
            Icon={Columns3}
            title="Compare your open lanes"
            description={
              laneCount === 0
                ? 'Open a session first'
                : `${pluralize(laneCount, 'lane')} in “${getDisplayTitle(title ?? 'the open session')}”`
            }
            isDisabled={laneCount === 0}
            onPick={() => report(createTrialFromLanes({ router, session }, trials))}
          />
          <StartOption
            Icon={MessageSquare}
            title="Turn prompts into cases"
            description={
              promptCount === 0
                ? 'Open a session with prompts first'
                : `${pluralize(promptCount, 'prompt')} in the open session`
            }
            isDisabled={promptCount === 0}
            onPick={() => report(createTrialFromPrompts({ router, session }, trials))}
          />
        </section>
        <TrialStarters title="Or try an example" Heading="h3" />
      </div>
      <p className="mt-7 max-w-[64ch] text-12 text-pretty text-ink-3">
        Every answer is saved with its recording. A trial resumes after a reload and respects your rate limit.
      </p>
    </div>
  );
}

/** Starters with their number of requests. That across gateways needs two of them. */
export function TrialStarters({ title, Heading }: { title: string; Heading: 'h2' | 'h3' }) {
  const { notices, router, gateways } = useAppServices();
  const trials = useTrials();
  const statuses = useGatewayStatuses();
  // Renders again when a limit changes.
  useQueue(() => gateways.getQueue().getLimit());
  const limits = (statuses.length === 0 ? [undefined] : statuses).map((status) => ({
    gateway: status?.name ?? '',
    perMinute: gateways.getQueue(status?.name).getLimit(),
  }));
  return (
    <section>
      <Heading className="border-b border-line-2 pb-1.5 text-11 text-ink-3">{title}</Heading>
      {starters.map((starter, index) => (
        <StartOption
          key={starter.title}
          Icon={starterIcons[index] ?? ListChecks}
          title={starter.title}
          description={
            starter.isAcrossGateways && statuses.length < 2
              ? 'Name a second gateway in GATEWAYS on the server first'
              : describeStarter(starter, limits.slice(0, starter.isAcrossGateways ? 2 : 1))
          }
          isDisabled={starter.isAcrossGateways === true && statuses.length < 2}
          onPick={() => reportFailure(notices, createTrialFromStarter({ router, notices }, trials, starter))}
        />
      ))}
    </section>
  );
}

interface StartOptionProps {
  Icon: IconComponent;
  title: string;
  description: string;
  isDisabled?: boolean;
  onPick: () => void;
}

function StartOption({ Icon, title, description, isDisabled = false, onPick }: StartOptionProps) {
  return (
    <ButtonElement
      type="button"
      disabled={isDisabled}
      className="flex w-full items-center gap-3.5 border-b border-line py-2.5 not-aria-disabled:hover:bg-bench aria-disabled:opacity-60"
      onClick={onPick}
    >
      <Icon className="icon-16 text-ink-2" aria-hidden />
      <span className="min-w-0">
        <b className="block text-14 font-[600]">{title}</b>
        <span className="block text-12 text-pretty text-ink-3">{description}</span>
      </span>
    </ButtonElement>
  );
}
