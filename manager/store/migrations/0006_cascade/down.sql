DROP INDEX operation_children;
DROP INDEX operation_tree;
