module quartermaster/render/oracle

go 1.24
