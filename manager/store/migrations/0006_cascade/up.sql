-- Cascades ask all the time how far their trees are. Both indexes hold the operations of cascades alone, so no other
-- deed writes them.
CREATE INDEX operation_tree ON operation (cascade_root_id, phase, state, attempts) WHERE cascade_root_id IS NOT NULL;
CREATE INDEX operation_children ON operation (parent_id, phase, attempts) WHERE parent_id IS NOT NULL;
