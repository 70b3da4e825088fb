import { Markdown } from '../../../../markdown/draw/markdown.tsx';
import { runReactPage } from './react-page.jsx';

import '../../../../ui/tokens.css';

/** Bench's renderer alone, with highlighting and math, without the app around it. */
runReactPage((text, live) => <Markdown text={text} live={live} caret={live} />);
