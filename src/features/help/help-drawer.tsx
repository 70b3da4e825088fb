import { clsx } from 'clsx';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import { getHelpLink } from '../../lib/help-link.ts';
import { Markdown } from '../../markdown/draw/markdown.tsx';
import { useInspector, useRoute, useSessionServices } from '../../state/contexts.tsx';
import type { OpenHelp } from '../../state/sessions/view-store.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { Search, X } from '../../ui/icons.tsx';
import { ChevronLeft } from '../../ui/late-icons.tsx';
import { showModal } from '../../ui/overlays/use-modal-dialog.ts';
import { helpButton } from './help-focus-targets.ts';
import { findHelpPage, findHelpSection, helpPages, type HelpPage } from './help-pages.ts';
import { searchHelp, splitQuery } from './search-help.ts';

/** The documentation, at the right of the screen: contents, one page, or the results of a search. */
export function HelpDrawer({ help }: { help: OpenHelp }) {
  const { view } = useSessionServices();
  const isPhone = useMediaQuery('(width < 600px)');
  const close = () => view.setState({ help: undefined });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || (event.key !== 'Escape' && event.key !== 'F1')) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  const content = <HelpContent help={help} onClose={close} />;
  return isPhone || help.isOverDialog ? (
    <HelpSheet onClose={close} onKeyDown={onKeyDown}>
      {content}
    </HelpSheet>
  ) : (
    <HelpAside onKeyDown={onKeyDown}>{content}</HelpAside>
  );
}

interface HelpFrameProps {
  onKeyDown: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** Help beside the screen, in place of the parameters. It is over the screen if there is no space, or over the inspector. */
function HelpAside({ onKeyDown, children }: HelpFrameProps) {
  const aside = useRef<HTMLElement>(null);
  useReturnFocus(aside, helpButton);
  const isInspecting = useInspector((state) => state.isOpen);
  const isOverInspector = useRoute().screen === 'playground' && isInspecting;
  return (
    <aside
      ref={aside}
      className={clsx(
        'z-6 flex min-h-0 w-100 flex-none flex-col border-l border-line-2 bg-raised print:hidden',
        'flat:sticky flat:top-0 flat:h-dvh flat:self-start flat:max-tablet:fixed',
        'max-tablet:absolute max-tablet:inset-[0_0_0_auto] max-tablet:shadow-e-2',
        isOverInspector && 'absolute inset-[0_0_0_auto] shadow-e-2',
      )}
      aria-label="Help"
      data-region="help"
      onKeyDown={onKeyDown}
    >
      {children}
    </aside>
  );
}

/** A stable callback: React calls a new ref on each render. */
const openWhileMounted = (dialog: HTMLDialogElement | null) => (dialog ? showModal(dialog) : undefined);

/** Help as a sheet on phones, and over a dialog, which makes everything else inert. */
function HelpSheet({ onClose, onKeyDown, children }: HelpFrameProps & { onClose: () => void }) {
  return (
    <dialog
      ref={openWhileMounted}
      className={clsx(
        'm-0 ml-auto h-dvh max-h-none w-[min(400px,100vw)] max-w-none border-l border-line-2 bg-raised p-0 text-left',
        'text-13 text-ink shadow-e-3 backdrop:bg-scrim open:flex',
        'max-phone:mt-auto max-phone:h-[calc(100dvh-40px)] max-phone:w-screen max-phone:rounded-t-4 max-phone:border-l-0',
      )}
      aria-label="Help"
      closedby="any"
      onKeyDown={onKeyDown}
      onClose={(event) => {
        if (!event.currentTarget.open) onClose();
      }}
    >
      <aside className="flex min-h-0 w-full flex-col" aria-label="Help">
        {children}
      </aside>
    </dialog>
  );
}

function HelpContent({ help, onClose }: { help: OpenHelp; onClose: () => void }) {
  const { view } = useSessionServices();
  const [query, setQuery] = useState('');
  /** The help for which the query was typed; following a link to a section hides the results. */
  const [searchedHelp, setSearchedHelp] = useState<OpenHelp>();
  const content = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const page = help.target && findHelpPage(help.target);
  const section = help.target && findHelpSection(help.target);
  const hasQuery = query.trim() !== '';
  const showsResults = hasQuery && searchedHelp === help;
  const queryInView = useRef(query);
  useEffect(() => {
    queryInView.current = query;
  }, [query]);
  useEffect(() => {
    if (help.target === undefined) return field.current?.focus();
    if (content.current) showSection(content.current, section?.slug, splitQuery(queryInView.current));
  }, [help, section]);

  const onFieldKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      content.current?.querySelector('a')?.focus();
    }
    if (event.key === 'Enter' && showsResults) content.current?.querySelector('a')?.click();
    if (event.key !== 'Escape' || query === '') return;
    event.preventDefault();
    setQuery('');
  };
  return (
    <>
      <header className="flex h-11 flex-none items-center gap-2 border-b border-line pr-3 pl-4">
        <h2 className="text-[14px] leading-5 font-600">Help</h2>
        <span className="flex-1" />
        <IconButton label="Close help" shortcut="Esc" onClick={onClose}>
          <X className="icon-16" aria-hidden />
        </IconButton>
      </header>
      <label className="relative m-3 mb-2 flex flex-none items-center">
        <Search className="pointer-events-none absolute left-2.5 icon-14 text-ink-3" aria-hidden />
        <input
          ref={field}
          type="search"
          aria-label="Search help"
          className="h-8 w-full rounded-2 border border-edge bg-raised pr-2 pl-8 max-phone:h-11 max-phone:text-[16px]"
          placeholder="Search help"
          spellCheck={false}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setSearchedHelp(help);
          }}
          onKeyDown={onFieldKeyDown}
        />
      </label>
      <div
        ref={content}
        className="min-h-0 flex-1 [scrollbar-width:thin] overflow-y-auto overscroll-contain px-4 pb-6 -outline-offset-2"
        tabIndex={-1}
      >
        {showsResults ? (
          <SearchResults query={query} />
        ) : page ? (
          <>
            <p className="-ml-1.5 flex flex-wrap gap-x-3">
              <BackButton onClick={() => view.setState({ help: { ...help, target: undefined } })}>
                All pages
              </BackButton>
              {hasQuery && <BackButton onClick={() => setSearchedHelp(help)}>Search results</BackButton>}
            </p>
            <PageView page={page} />
          </>
        ) : (
          <Contents />
        )}
      </div>
    </>
  );
}

/** Shows the paragraph of a section with most of these words, or its start, and focuses the heading. */
function showSection(content: HTMLElement, slug: string | undefined, words: readonly string[]): void {
  for (const element of content.querySelectorAll('[data-found]')) element.removeAttribute('data-found');
  const section = slug === undefined ? null : content.querySelector<HTMLElement>(`[data-section="${slug}"]`);
  (section?.querySelector<HTMLElement>('h4') ?? content).focus({ preventScroll: true });
  if (!section) return content.scrollTo({ top: 0 });
  const paragraph = findParagraph(section, words);
  paragraph?.setAttribute('data-found', '');
  section.scrollIntoView({ block: 'start' });
  paragraph?.scrollIntoView({ block: 'nearest' });
}

function findParagraph(section: HTMLElement, words: readonly string[]): HTMLElement | undefined {
  const countMatches = ({ textContent }: HTMLElement) =>
    words.filter((word) => textContent.toLowerCase().includes(word)).length;
  const [best] = [...section.querySelectorAll<HTMLElement>('p, li, tr, pre')]
    .map((element) => ({ element, count: countMatches(element) }))
    .toSorted((a, b) => b.count - a.count);
  return best !== undefined && best.count > 0 ? best.element : undefined;
}

const linkClasses =
  'min-h-6 text-ink-2 underline decoration-line-2 underline-offset-2 hover:text-ink hover:decoration-current';

function BackButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="flex min-h-7 items-center gap-0.5 rounded-2 pr-1.5 text-12 text-ink-2 hover:bg-hover hover:text-ink max-phone:min-h-11"
      onClick={onClick}
    >
      <ChevronLeft className="icon-14" aria-hidden />
      {children}
    </button>
  );
}

/** All pages with the links to their sections. */
function Contents() {
  return (
    <nav aria-label="Contents">
      {helpPages.map((page, index) => (
        <details key={page.slug} className="border-b border-line" open={index === 0}>
          <summary className="min-h-9 cursor-pointer py-2 font-550 max-phone:py-3">{page.title}</summary>
          <SectionLinks page={page} />
        </details>
      ))}
    </nav>
  );
}

function SectionLinks({ page }: { page: HelpPage }) {
  return (
    <ul className="pb-2.5 pl-4">
      {page.sections.map(({ slug, heading }) => (
        <li key={slug} className="py-0.5 max-phone:py-2">
          <a className={linkClasses} href={getHelpLink(page.slug, slug)}>
            {heading}
          </a>
        </li>
      ))}
    </ul>
  );
}

function PageView({ page }: { page: HelpPage }) {
  return (
    <article aria-label={page.title}>
      <h3 className="mt-1 text-18 tracking-[-0.008em]">{page.title}</h3>
      <details className="mt-1 border-b border-line text-12">
        <summary className="min-h-7 cursor-pointer py-1 text-ink-2 max-phone:py-3">On this page</summary>
        <SectionLinks page={page} />
      </details>
      {page.sections.map(({ slug, heading, text }) => (
        <section key={slug} className="scroll-mt-1 pt-4 [--md-font:var(--t-13)]" data-section={slug}>
          <h4 className="mb-1.5 text-[14px] leading-5 font-600 wrap-anywhere" tabIndex={-1}>
            {heading}
          </h4>
          <div className="[&_[data-found]]:bg-needle-wash">
            <Markdown text={text} isLive={false} />
          </div>
        </section>
      ))}
    </article>
  );
}

function SearchResults({ query }: { query: string }) {
  const id = useId();
  const hits = useMemo(() => searchHelp(query), [query]);
  return (
    <>
      <p id={id} className="pb-1 text-12 text-ink-3" role="status">
        {hits.length === 0 ? 'No results. Try fewer or other words.' : `Results: ${hits.length}`}
      </p>
      <ul aria-labelledby={id}>
        {hits.map(({ target, pageTitle, heading, excerpt }) => (
          <li key={`${target.page}/${target.section}`} className="border-b border-line py-2">
            <a className={clsx(linkClasses, 'font-550')} href={getHelpLink(target.page, target.section)}>
              {heading}
            </a>
            <span className="ml-2 text-12 text-ink-3">{pageTitle}</span>
            <p className="mt-0.5 text-12 wrap-anywhere text-ink-2">{excerpt}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
