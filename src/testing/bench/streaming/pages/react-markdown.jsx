import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

import { runReactPage } from './react-page.jsx';

const remarkPlugins = [remarkGfm];

runReactPage((text) => <ReactMarkdown remarkPlugins={remarkPlugins}>{text}</ReactMarkdown>);
