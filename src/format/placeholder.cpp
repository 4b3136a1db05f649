// placeholder until this room is filled
