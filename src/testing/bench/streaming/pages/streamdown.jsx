import { Streamdown } from 'streamdown';

import { runReactPage } from './react-page.jsx';

runReactPage((text, live) => <Streamdown isAnimating={live}>{text}</Streamdown>);
