/** Not an evaluator: the function has another name. */
export default { run: () => 1 };
