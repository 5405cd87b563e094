import { render } from "preact";
import "./style.css";

render(<p>Coppice studio</p>, document.getElementById("studio") ?? document.body);
